internal import CatalogModel
public enum StarterPack { public static let candidates: [Candidate] = [] }
