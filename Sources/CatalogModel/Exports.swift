// Errors of the model have messages: whoever reads one can read the other.
@_exported public import Messages
