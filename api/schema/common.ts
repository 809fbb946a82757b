import { z } from "zod";
import { innerOf } from "./schema-walk";

declare module "zod" {
  interface GlobalMeta {
    /** Lists can be filtered by the field. */
    filterable?: true;
    /** Never shown in plain: not in state, logs, errors or reports. */
    secret?: true;
    /** The value is the id of an entry of this catalogue. */
    catalogue?: Catalogue;
    /** Moves by itself (usage, progress, `updated`): no part of what a program states. */
    volatile?: true;
    /** The user's own keys and values: names in it are never translated. */
    opaque?: true;
    /** A file, text or address that a program gives as one of Pulumi's assets. */
    asset?: true;
    /** An input that check fills in and no program states, such as the hash of a file. */
    computed?: true;
    /** What it holds counts, not how it is given: this computed input tells of it, and what a change means is said there. */
    toldBy?: string;
    /** The form in which two ways of writing the same value are equal; absent, only the same value is. */
    canonical?: (value: unknown) => unknown;
    /** One of some words in small letters, which programs may write in capital ones. */
    caseless?: true;
    /** Media type of what is bytes and no JSON. */
    contentType?: string;
    /** The version of this package that the input came with, where that is later than its kind's. */
    since?: string;
    /** The id of an object within another, which Pulumi writes with its parent: `12/34` is the 34 of 12. */
    part?: true;
    /** An output in which the value of this input stands: secret where the program's value is. */
    contains?: string;
    /** The path parameter may hold slashes, written plain or as %2F. */
    slashes?: true;
  }
}

/** Lists of the service that other fields pick an id from. */
export type Catalogue = "regions" | "types" | "images" | "kernels" | "lkeVersions" | "objectStorageClusters";

/** `YYYY-MM-DDTHH:MM:SS`, UTC, no zone suffix, as the service writes times. */
export const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, "must be a time like 2022-01-31T12:00:00");

export const Created = Time.describe("When it was made, in UTC.");
export const Updated = Time.meta({ volatile: true }).describe("When it last changed, in UTC.");

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

/** Whether the field holds the id of another object: the contract makes all of those from `Id`. */
export const isReference = (schema: z.core.$ZodType): boolean => isId(innerOf(schema));

const isId = (inner: z.core.$ZodType): boolean =>
  inner === Id || (inner._zod.parent !== undefined && isId(inner._zod.parent));

export const Empty = z.strictObject({});

export const Tag = z
  .string()
  .min(3)
  .max(50)
  .refine((text) => !/\p{Cc}/u.test(text), "must hold no line breaks or other control characters");

const MOST_TAGS = 500;

/** Order and repetition of the entries say nothing. */
export const asSet = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)].sort() : value);

/** A canonical form of strings, as one of any value. */
export const ofText =
  (form: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? form(value) : value;

/** Order, repetition and case of the entries say nothing. */
const asCaselessSet = (value: unknown): unknown =>
  asSet(Array.isArray(value) ? value.map((entry) => String(entry).toLowerCase()) : value);

export const Tags = z
  .array(Tag)
  .max(MOST_TAGS)
  .meta({ canonical: asCaselessSet })
  .describe("Labels of the user's own, 3 to 50 characters each; only unrestricted users change them.");

export const RegionId = z.string().min(1).meta({ catalogue: "regions" });
export const TypeId = z.string().min(1).meta({ catalogue: "types" });
export const ImageId = z.string().min(1).meta({ catalogue: "images" });
export const ObjectStorageClusterId = z.string().min(1).meta({ catalogue: "objectStorageClusters" });
export const KernelId = z.string().min(1).meta({ catalogue: "kernels" });

/** What every list takes. */
export const Paging = z.strictObject({
  page: z.int().min(1).default(1).describe("Number of the page; one past the last is empty."),
  page_size: z.int().min(25).max(100).default(100).describe("Entries on a page."),
});

/** The envelope of every list. */
export const page = <T extends z.core.$ZodType>(entry: T) =>
  z.strictObject({ data: z.array(entry), page: z.int(), pages: z.int(), results: z.int() });

export type Page<T> = { data: T[]; page: number; pages: number; results: number };
