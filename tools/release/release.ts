/** The version that is released, and the folders in which it is built. */
export interface Release {
  /** The folder of the repository. */
  root: string;
  version: string;
  commit: string;
  /** The time of the commit, which all files have. */
  time: Date;
  /** The folder of the files that a release uploads. */
  out: string;
  /** A temporary folder, which is deleted at the end. */
  work: string;
}

/** Environment variable by which Python's tools know the time of the release. */
export const sourceDate = ({ time }: Release): { SOURCE_DATE_EPOCH: string } => ({
  SOURCE_DATE_EPOCH: String(time.getTime() / 1000),
});
