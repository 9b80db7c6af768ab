enum CatalogCommandsPlaceholder {}
