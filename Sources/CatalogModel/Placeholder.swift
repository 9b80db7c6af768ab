enum CatalogModelPlaceholder {}
