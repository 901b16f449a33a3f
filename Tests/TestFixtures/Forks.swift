// Tests of several targets fork; one module owns the C that does it.
@_exported public import CForks
