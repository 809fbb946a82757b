import { of, one } from "./picks";
import type { Move, TestService } from "./service";

/**
 * Time spans in seconds by which a request advances the emulator's clock. The largest end after the year 9999, and -1
 * is invalid.
 */
const spans = [60, 3600, 86_400, 30 * 86_400, 8e12, 1e308, -1] as const;
const instanceId = ({ world }: TestService, pick = 0) => one(world.instances.all(), pick)?.id ?? 1;

const control =
  (
    request: `${string} ${string}`,
    body: (service: TestService, picks: readonly number[]) => object | undefined,
  ): Move =>
  (service, picks) => {
    const [method = "", path = ""] = request.split(" ");
    return service.control(method, path, body(service, picks));
  };

/**
 * Random requests to the emulator's own endpoints, which change for example the clock or tokens. No request may make
 * the account inconsistent, even an invalid one.
 */
export const controlMoves: Readonly<Record<string, Move>> = {
  moveClock: control("POST clock", (_, [a, b = 0]) => ({
    [b % 2 ? "seconds" : "ms"]: of(spans, a),
    settle: b % 3 === 0,
  })),
  makeToken: control("POST tokens", (_, [a = 0, b]) => ({
    username: a % 5 ? "emulator" : "nemo",
    scopes: a % 3 ? "*" : ["volumes:read_only"],
    ...(a % 2 && { expires_in: of(spans, b) }),
  })),
  makeUser: control("POST users", (service, [a = 0]) => ({
    username: `user-${a % 3}`,
    restricted: a % 2 === 0,
    entities: { compute: { [instanceId(service, a)]: "read_only" } },
  })),
  crash: control("POST crash", (service, [a]) => ({ compute_id: instanceId(service, a) })),
  stop: control("POST stop", (service, [a, b]) => ({ compute_id: instanceId(service, a), seconds: of(spans, b) })),
  pendMigration: control("POST migration", (service, [a]) => ({ compute_id: instanceId(service, a) })),
  askSupport: control("POST support", (service, [a, b]) => {
    const request = of(["extra_ips", "ipv6_range", "ipv6_pool"], a);
    return request === "ipv6_pool" ? { request, region: "us-east" } : { request, compute_id: instanceId(service, b) };
  }),
  handOverZone: control("POST zones", (_, [a = 0]) => ({
    nameserver: "ns1.example.net",
    domain: `zone-${a % 4}.example`,
    soa_email: "admin@example.net",
    records: a % 2 ? [{ type: "A", name: "www", target: "192.0.2.1" }] : [],
  })),
  setAccount: control("POST account", (_, [a = 0]) => ({ balance: (a % 200) - 100, decline: a % 2 === 0 })),
  addPaymentMethod: control("POST payment-methods", () => ({
    data: { card_number: "4111111111111111", expiry_month: 12, expiry_year: 2032 },
  })),
  issueInvoice: control("POST invoices", (_, [a = 0]) => ({ items: [{ label: "Hours", unit_price: `${a % 9}.5` }] })),
  logIn: control("POST logins", (_, [a = 0]) => ({ username: a % 2 ? "emulator" : "nemo" })),
  announceMaintenance: control("POST maintenance", (service, [a]) => ({
    compute_id: instanceId(service, a),
    type: "reboot",
    reason: "A new kernel.",
  })),
  endMaintenance: control("DELETE maintenance", ({ world }, [a]) => ({ id: one(world.maintenance.all(), a)?.id ?? 1 })),
  notify: control("POST notifications", () => ({ type: "notice", label: "News", message: "There are news." })),
  resolveNotification: control("DELETE notifications", ({ world }, [a]) => ({
    id: one(world.notifications.all(), a)?.id ?? 1,
  })),
  makePromoCode: control("POST promo-codes", (_, [a = 0]) => ({ code: `CODE${a % 5}`, credit: 20, days: 36_500 })),
  offerTransfer: control("POST transfers", (_, [a = 0]) => ({ computes: [{ backups_enabled: a % 2 === 0 }] })),
  failJobs: control("POST faults", (_, [a]) => ({ kind: of(["job-fail", "job-stall", "busy"], a), times: 2 })),
  clearFaults: control("DELETE faults", () => undefined),
  async roundTrip(service) {
    const state = await service.control("GET", "state");
    return service.control("PUT", "state", state.body);
  },
};
