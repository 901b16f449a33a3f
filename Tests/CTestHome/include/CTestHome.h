// Nothing to call: linking this is enough. See testhome.c.
