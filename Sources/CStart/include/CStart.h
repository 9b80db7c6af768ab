#pragma once

/// How many words the program was started with, its own name among them.
int start_word_count(void);

/// Those words as they were given, with a null behind them.
char *_Nullable *_Nonnull start_words(void);

/// The environment as it was given, `NAME=value` and a null behind them.
char *_Nullable *_Nonnull start_environment(void);
