import { isObject } from "../api";
import { ProjectError } from "./project-error";

/**
 * The packages of an imported project. TypeScript and ts-node are dependencies rather than development dependencies:
 * without them, Pulumi runs programs with its own copy of TypeScript 3.8, which rejects the settings of the project.
 */
const packages = {
  "@pulumi/pulumi": "^3.216.0",
  "@types/node": "^22.0.0",
  "ts-node": "^10.9.2",
  typescript: "^5.9.3",
};

const PACKAGE_NAME = "pulumi-cloudinfra";
const sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

export interface Manifest {
  text: string;
  /** The packages that the import has added, each with its source. */
  added: string[];
  /** Whether the file names another program in `main`, so that Pulumi.yaml has to name the one of the import. */
  hasOtherMain: boolean;
}

/** The package.json of a new project, or an existing one with the packages that the project needs. */
export function manifestOf(name: string, main: string, source: PackageSource, before: string | undefined): Manifest {
  const needed: Record<string, string> = { ...packages, [PACKAGE_NAME]: source.spec };
  if (before === undefined) {
    const manifest = {
      name: name.toLowerCase().replace(/^[._]+/, ""),
      private: true,
      main,
      dependencies: sorted(needed),
    };
    const added = Object.entries(manifest.dependencies).map(([name, spec]) => `${name} ${spec}`);
    return { text: `${JSON.stringify(manifest, undefined, 2)}\n`, added, hasOtherMain: false };
  }
  const manifest = parsed(before);
  const declared: Record<string, unknown> = Object.assign({}, ...sections.map((section) => manifest[section]));
  check(manifest, declared);
  const missing = Object.entries(needed).filter(
    ([name, spec]) =>
      declared[name] === undefined || (name === PACKAGE_NAME && source.isChosen && declared[name] !== spec),
  );
  const others = Object.fromEntries(missing.map(([name]) => [name, needed[name]]));
  const result = {
    ...manifest,
    main: manifest.main ?? main,
    dependencies: sorted({ ...(manifest.dependencies as object), ...others }),
  };
  const [, indent = "  "] = /^\{\s*?\n([ \t]+)/.exec(before) ?? [];
  const isSame = !missing.length && manifest.main !== undefined;
  return {
    text: isSame ? before : `${JSON.stringify(result, undefined, indent)}\n`,
    added: missing.map(([name, spec]) => `${name} ${spec}`),
    hasOtherMain: result.main !== main,
  };
}

/** The program that a package.json names. Undefined if it names none, or is not valid. */
export function mainOf(text = "{}"): string | undefined {
  const { main } = objectIn(text) ?? {};
  return typeof main === "string" ? main : undefined;
}

/** Where the project installs this package from, and whether the user has chosen that. */
export interface PackageSource {
  spec: string;
  isChosen: boolean;
}

function parsed(text: string): Record<string, unknown> {
  const manifest = objectIn(text);
  if (manifest) return manifest;
  throw new ProjectError("package.json is not a JSON object; correct it, or name an empty folder");
}

/** The JSON object of a text. Undefined for any other text. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Throws if Pulumi could not run the program with this package.json. */
function check(manifest: Record<string, unknown>, declared: Record<string, unknown>): void {
  if (manifest.type === "module")
    throw new ProjectError(
      `package.json has "type": "module", but the program of an import consists of CommonJS modules; remove it, or name another folder`,
    );
  const { typescript } = declared;
  const [, major] = /^[\^~>=v ]*(\d+)/.exec(String(typescript)) ?? [];
  if (major !== undefined && major !== "5" && major !== "6")
    throw new ProjectError(
      `package.json requires typescript ${typescript}, but Pulumi runs programs with TypeScript 5 or 6; change it to ${packages.typescript}`,
    );
}

const sorted = (bag: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(bag).sort(([a], [b]) => (a < b ? -1 : 1)));
