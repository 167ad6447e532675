/** What the export decides (4. Export audit events). */
// biome-ignore lint/suspicious/noEmptyInterface: the export brings its rules with it
export interface ExportRules {}

export const exportRules: ExportRules = {};
