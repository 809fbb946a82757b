/**
 * Short name of a statement in the API documentation. `untestable` is the reason why no test can verify the statement.
 */
type Title = string | { title: string; untestable: string };

export interface Section {
  /**
   * Part and section of the API documentation, such as `part 1 · Endpoints · Volumes`. Operations have the same text in
   * `source`.
   */
  name: string;
  /**
   * Type of the section's statements: `rule` for numbered items or sentences, `limit` for items in a list of limits,
   * `state` for objects, such as volumes, whose states and transitions a table lists.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Title[];
}
