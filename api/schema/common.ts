import { z } from "zod";
import { innerOf } from "./schema-walk";

declare module "zod" {
  interface GlobalMeta {
    /** Lists can be filtered by the field. */
    filterable?: true;
    /** Masked everywhere: in state, logs, errors and reports. */
    secret?: true;
    /** The value is the id of an entry of this catalogue. */
    catalogue?: Catalogue;
    /** Changed by the service on its own (usage, progress, `updated`), so it is not compared. */
    volatile?: true;
    /** Keys and values are user data, so names in it are not translated. */
    opaque?: true;
    /** A file, text or URL that a program passes as a Pulumi asset. */
    asset?: true;
    /** An input that the provider computes, such as the hash of a file. Programs do not set it. */
    computed?: true;
    /** Compared by its content: the named computed input holds the hash and the change policy. */
    toldBy?: string;
    /** Returns a canonical form, so that equivalent values compare equal. */
    canonical?: (value: unknown) => unknown;
    /** An enum in lower case that programs may also write in upper case. */
    caseless?: true;
    /** Media type of a body that is bytes instead of JSON. */
    contentType?: string;
    /** The version of this package that added the input, if later than its kind. */
    since?: string;
    /** The id of a nested object, which Pulumi writes with its parent: `12/34` is object 34 of 12. */
    part?: true;
    /** The input that this output contains: if the input is secret, so is the output. */
    contains?: string;
    /** The path parameter may contain slashes, plain or as %2F. */
    slashes?: true;
    /** Values of the path parameter, for messages about ids. */
    examples?: string[];
  }
}

/** The catalogues that other fields refer to by id. */
export type Catalogue = "regions" | "types" | "images" | "kernels" | "lkeVersions" | "objectStorageClusters";

/** `YYYY-MM-DDTHH:MM:SS`, UTC, no zone suffix, as the service writes times. */
export const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, "must be a time like 2022-01-31T12:00:00");

export const Created = Time.describe("Creation time in UTC.");
export const Updated = Time.meta({ volatile: true }).describe("Time of the last change in UTC.");

/** The lengths are those of RFC 5321. */
export const Email = z
  .email({ error: "must be an email address", abort: true })
  .regex(
    /^[^@]{1,64}@([^.]{1,63}\.)+[^.]{2,63}$/,
    "must have at most 64 characters before the @ and 63 in each part after it",
  );

export const Id = z.int().min(1);

/** The id of an object within another, such as a config of an instance. */
export const PartId = Id.meta({ part: true });

/** Whether the field is the id of another object: all such fields derive from `Id`. */
export const isReference = (schema: z.core.$ZodType): boolean => isId(innerOf(schema));

const isId = (inner: z.core.$ZodType): boolean =>
  inner === Id || (inner._zod.parent !== undefined && isId(inner._zod.parent));

/**
 * Whether Pulumi programs use a string where the API uses a number: for ids, and where the API accepts either.
 */
export const isText = (schema: z.core.$ZodType): boolean => {
  const inner = innerOf(schema);
  if (!(inner instanceof z.core.$ZodUnion)) return isId(inner);
  const types = inner._zod.def.options.map((option) => innerOf(option)._zod.def.type);
  return new Set(types).size === 2 && types.every((type) => type === "string" || type === "number");
};

export const Empty = z.strictObject({});

export const Tag = z
  .string()
  .min(3)
  .max(50)
  .refine((text) => !/\p{Cc}/u.test(text), "must not contain line breaks or other control characters");

const MOST_TAGS = 500;

/** Canonical form of a list in which order and duplicates do not matter. */
export const asSet = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)].sort() : value);

/** Applies a canonical form to strings only. */
export const ofText =
  (form: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? form(value) : value;

/** Canonical form of a list in which order, duplicates and case do not matter. */
const asCaselessSet = (value: unknown): unknown =>
  asSet(Array.isArray(value) ? value.map((entry) => String(entry).toLowerCase()) : value);

export const Tags = z
  .array(Tag)
  .max(MOST_TAGS)
  .meta({ canonical: asCaselessSet })
  .describe(
    "Tags for organizing resources. Each must have 3 to 50 characters. Only unrestricted users can change them.",
  );

export const RegionId = z.string().min(1).meta({ catalogue: "regions" });
export const TypeId = z.string().min(1).meta({ catalogue: "types" });
export const ImageId = z.string().min(1).meta({ catalogue: "images" });
export const ObjectStorageClusterId = z.string().min(1).meta({ catalogue: "objectStorageClusters" });
export const KernelId = z.string().min(1).meta({ catalogue: "kernels" });

/** The parameters of every list. */
export const Paging = z.strictObject({
  page: z.int().min(1).default(1).describe("Number of the page. A page after the last one is empty."),
  page_size: z.int().min(25).max(100).default(100).describe("Number of entries per page."),
});

/** The envelope of every list. */
export const page = <T extends z.core.$ZodType>(entry: T) =>
  z.strictObject({ data: z.array(entry), page: z.int(), pages: z.int(), results: z.int() });

export type Page<T> = { data: T[]; page: number; pages: number; results: number };
