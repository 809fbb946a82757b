import { z } from "zod";
import { ownId } from "../dialects/tables";
import { innerOf } from "./schema-walk";

declare module "zod" {
  interface GlobalMeta {
    /** Lists can be filtered by the field. */
    filterable?: true;
    /** In JSON, characters of the record that are not ASCII are escape sequences of their code points. */
    ascii?: true;
    /** The value is secret: Pulumi encrypts it in state, and it is masked in logs, errors and reports. */
    secret?: true;
    /** The value is the id of an entry in one of the service's lists, such as `us-east` in `regions`. */
    catalogue?: Catalogue;
    /**
     * The text, or each text of the list, begins with or is a name of the service, which a dialect converts: `value` is
     * a value of an enumeration that the contract leaves open. Ids of images and kernels need no mark if they have a
     * `catalogue`.
     */
    names?: "path" | "device" | "capability" | "platform" | "value" | "id" | "service";
    /**
     * The service changes the value on its own (usage, progress, `updated`), so it is neither stored in state nor
     * compared.
     */
    volatile?: true;
    /** The keys and values of the map are user data, so the keys are not translated to camel case. */
    opaque?: true;
    /**
     * The value of a new object if the create request omits the field: a value, or a function of the new object.
     * Defaults to the default of the create request. Null if omitting the input of a resource means something else than
     * declaring that default. Imported programs omit inputs with this value.
     */
    initial?: unknown;
    /** A file, text or URL that a program passes as a Pulumi asset. */
    asset?: true;
    /** The provider computes the input, such as the hash of a file. Programs do not set it. */
    computed?: true;
    /**
     * Name of the computed input that contains the hash of this input, for example of a file. The provider detects
     * changes by comparing hashes.
     */
    hashedIn?: string;
    /** The field by which the entries of a list without an order differ, such as `address`. Defaults to all fields. */
    entryKey?: string;
    /** Converts a value to a canonical form, so that equivalent values compare equal. */
    canonical?: (value: unknown) => unknown;
    /** An enum whose values are in lower case. Programs may also write them in upper case. */
    caseless?: true;
    /** Media type of a body that consists of bytes instead of JSON. */
    contentType?: string;
    /** The version of this package that added the input, if it is later than the version that added the resource. */
    since?: string;
    /**
     * The field is the id of a nested object. Programs write it with the parent's id: `12/34` is object 34 of parent
     * 12.
     */
    part?: true;
    /**
     * Name of the input whose value is part of this output, as a volume's label is part of its device path. If the
     * input is secret, so is the output.
     */
    contains?: string;
    /** The integer can exceed 2³¹ − 1. */
    large?: true;
    /** The path parameter may contain slashes, unescaped or as %2F. */
    slashes?: true;
    /** Example values of the path parameter, for error messages about ids. */
    examples?: string[];
  }
}

/** Lists of things that the service offers, such as regions. Other fields contain the ids of their entries. */
export type Catalogue = "regions" | "types" | "images" | "kernels" | "lkeVersions" | "objectStorageClusters";

/** `YYYY-MM-DDTHH:MM:SS`, UTC, no zone suffix, as the service writes times. */
export const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, "must be a time like 2022-01-31T12:00:00");

export const Created = Time.describe("Creation time in UTC.");
export const Updated = Time.meta({ volatile: true }).describe("Time of the last change in UTC.");

/** The maximum lengths of the parts before and after the @ are those of RFC 5321. */
export const Email = z
  .email({ error: "must be an email address", abort: true })
  .regex(
    /^[^@]{1,64}@([^.]{1,63}\.)+[^.]{2,63}$/,
    "must have at most 64 characters before the @ and 63 in each part after it",
  );

export const Id = z.int().min(1);

/** A number of bytes, which can exceed the 32 bits of an integer in the SDKs of .NET and Java. */
export const ByteCount = z.int().min(0).meta({ large: true });

/**
 * The last part of the id of a nested object, such as a boot config of an instance. Programs can also give the whole id,
 * `12/34`, of which only the last part is used.
 */
export const PartId = Id.meta({ part: true });

/** Whether the field is the id of another object. The schemas of all such fields derive from `Id`. */
export const isReference = (schema: z.core.$ZodType): boolean => isId(innerOf(schema));

const isId = (inner: z.core.$ZodType): boolean =>
  inner === Id || (inner._zod.parent !== undefined && isId(inner._zod.parent));

/**
 * Whether a value that is a number in the API is a string in Pulumi programs: true for ids, and for values that the API
 * accepts both as numbers and as strings.
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

export const MAX_TAGS = 500;

/** Canonical form of a list in which order and duplicates do not matter. */
export const asSet = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)].sort() : value);

/** Restricts a conversion to strings: values of other types are returned unchanged. */
export const ofText =
  (form: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? form(value) : value;

/** Canonical form of a list in which order, duplicates and case do not matter. */
const asCaselessSet = (value: unknown): unknown =>
  asSet(Array.isArray(value) ? value.map((entry) => String(entry).toLowerCase()) : value);

export const Tags = z
  .array(Tag)
  .max(MAX_TAGS)
  .meta({ canonical: asCaselessSet })
  .describe(
    "Tags for organizing resources. Each must have 3 to 50 characters. Only unrestricted users can change them.",
  );

export const RegionId = z.string().min(1).meta({ catalogue: "regions" });
export const TypeId = z.string().min(1).meta({ catalogue: "types" });
export const ImageId = z
  .string()
  .min(1)
  .meta({ catalogue: "images", canonical: ofText(ownId) });
export const ObjectStorageClusterId = z.string().min(1).meta({ catalogue: "objectStorageClusters" });
export const KernelId = z
  .string()
  .min(1)
  .meta({ catalogue: "kernels", canonical: ofText(ownId) });

/** The query parameters of every list operation. */
export const Paging = z.strictObject({
  page: z.int().min(1).default(1).describe("Number of the page. A page after the last one is empty."),
  page_size: z.int().min(25).max(100).default(100).describe("Number of entries per page."),
});

/** The response of every list operation: one page of entries. */
export const page = <T extends z.core.$ZodType>(entry: T) =>
  z.strictObject({ data: z.array(entry), page: z.int(), pages: z.int(), results: z.int() });

export type Page<T> = { data: T[]; page: number; pages: number; results: number };
