enum LookupPlaceholder {}
