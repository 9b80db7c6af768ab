import CatalogCommands
import Glibc

exit(CatalogProgram.main())
