#pragma once

/// The folder that THUMBTURN_HOME names in every test program: made before main, removed at the end. Linking this module
/// is enough; nothing has to be called.
const char *_Nonnull tt_test_home(void);
