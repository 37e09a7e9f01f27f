// The programs, built together. This target has no code.
