/** Beginnings of the paths that data planes serve: uploads and downloads outside the API. */
export const dataPrefixes = ["/image-uploads/", "/objects/"] as const;

export type DataPrefix = (typeof dataPrefixes)[number];

export const isDataPath = (path: string): boolean => dataPrefixes.some((prefix) => path.startsWith(prefix));
