// What this kit says of the system is the system's: SystemError, Interrupt, Spawn. Whoever imports the kit has it.
@_exported public import Processes
