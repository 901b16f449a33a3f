/// Every rule, in the order in which `explain` lists them. One line for a rule.
enum RuleCatalog {
  static let all: [any Rule] = [
    RequiredReasonRule(),
    ReasonFitsRule(),
    ManifestSchemaRule(),
    ManifestReasonRule(),
    ManifestCollectedDataRule(),
    ManifestTrackingRule(),
    ManifestPlaceRule(),
    SDKManifestRule(),
    UsageMissingRule(),
    UsageTextRule(),
    UsageUnusedRule(),
    TransportSecurityRule(),
    PlainHTTPRule(),
  ]
}
