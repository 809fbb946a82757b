import { z } from "zod";
import { DomainName, DomainRecordCreate, Email, recordRules } from "../../../api";
import { Reasons } from "../../core/error-response";
import { action, actionWithoutBody } from "../../http/control/action";
import type { Part } from "../../http/handlers";

const Zone = z.strictObject({
  nameserver: z.string().min(1).describe("Name server that allows transfers of the zone by AXFR."),
  domain: DomainName,
  soa_email: Email,
  records: z.array(DomainRecordCreate).default([]),
});

/** Endpoints under `/_emulator` that simulate zones on other name servers, which `POST /domains/import` can import. */
export const domainControl: Part = {
  control: {
    zones: {
      GET: actionWithoutBody(({ world }) => ({ zones: world.remoteZones.all() })),
      POST: action(Zone, ({ world }, { nameserver, domain, ...zone }) => {
        const problems = new Reasons();
        for (const [at, record] of zone.records.entries()) {
          const found = new Reasons();
          found.addBreaches(recordRules, record);
          for (const { field, reason } of found.list) problems.add(reason, `records.${at}.${field}`);
        }
        problems.throwIfAny();
        const key = { nameserver: nameserver.toLowerCase(), domain: domain.toLowerCase() };
        for (const old of world.remoteZones.by("nameserver", key.nameserver))
          if (old.domain === key.domain) world.remoteZones.remove(old.id);
        return world.remoteZones.insert({ ...key, ...zone });
      }),
    },
  },
};
