import { z } from "zod";
import { DriftReport } from "../../drift";
import type { Files } from "./mark";

export const driftSchemaFile = (): Files => ({
  "drift.schema.json": JSON.stringify(z.toJSONSchema(DriftReport), undefined, 2),
});
