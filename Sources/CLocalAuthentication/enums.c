#include "CLocalAuthentication.h"
