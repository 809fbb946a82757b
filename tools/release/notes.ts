/** A release cannot be built from this commit or with these parameters. */
export class ReleaseError extends Error {}

/** The section of a version in CHANGELOG.md, without its heading. */
export function releaseNotes(changelog: string, version: string): { notes: string; date: string | undefined } {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (!section) {
    const listed = sections.map((text) => /^\[(.*?)\]/.exec(text)?.[1]).join(", ");
    throw new ReleaseError(`CHANGELOG.md has no section "## [${version}]". Its sections are: ${listed || "none"}.`);
  }
  const [heading = "", ...lines] = section.split("\n");
  return { notes: `${lines.join("\n").trim()}\n`, date: /\d{4}-\d{2}-\d{2}/.exec(heading)?.[0] };
}

/** Checks the version of a release against package.json, which is the source of all other versions. */
export function checkVersion(wanted: string | undefined, version: string): void {
  if (wanted && wanted !== version)
    throw new ReleaseError(
      `VERSION is ${wanted}, but package.json has ${version}. Run \`make version VERSION=${wanted}\`, commit the changes, and try again.`,
    );
}
