// Errors of the model have messages, so a file that imports the model needs both.
@_exported public import Messages
