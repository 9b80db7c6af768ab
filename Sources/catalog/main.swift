import CatalogCommands
import Glibc
import Processes

exit(Thread.runProgram { CatalogProgram.main() })
