enum CatalogStorePlaceholder {}
