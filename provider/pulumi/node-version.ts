/** The oldest version of Node.js that this package supports, as in its package.json. */
const OLDEST_NODE = "22.19";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);

// This module is imported before all others, because others use functions that older versions of Node.js do not have.
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `pulumi-cloudinfra needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}: install a current version`,
  );
  process.exit(1);
}
