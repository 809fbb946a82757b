import { expect } from "vitest";
import { type Cloud, messages, type TestResponse } from "../cloud";

/** Request for the instance that most tests create: a small instance with Debian. */
export const debian = {
  region: "eu-central",
  type: "g6-standard-1",
  image: "compute/debian11",
  root_pass: "correct horse",
};

/** Request for an instance with 51,200 MB of storage, without disks and configs. */
export const empty = { region: "eu-central", type: "g6-standard-1" };

/** The full name of a rule in the section "Compute instances" of the API documentation. */
export const rule = (number: number): string => `part 1 · Endpoints · Compute instances · rule ${number}`;

export interface Machine {
  id: number;
  path: `/compute/instances/${number}`;
  status(): Promise<string>;
  view(): Promise<TestResponse["body"]>;
  /** The entries of a list below the instance's path. */
  list(what: "configs" | "disks" | "volumes" | "firewalls"): Promise<TestResponse["body"][]>;
  /** Sends a request below the instance's path, expects success, and waits for the jobs that it starts. */
  request(request: `${"POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<TestResponse["body"]>;
  /** Sends a request below the instance's path, and returns the errors of the response as `field: reason`. */
  rejected(request: `${"POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<string[]>;
}

/** Creates an instance, and advances the clock until its jobs have ended. */
export async function machine(cloud: Cloud, body: object = debian): Promise<Machine> {
  const created = await cloud.send("POST /compute/instances", { body });
  expect(created.body.errors).toBeUndefined();
  cloud.settle();
  return known(cloud, created.body.id);
}

export function known({ send, settle }: Cloud, id: number): Machine {
  const path = `/compute/instances/${id}` as const;
  const act = (request: string, body: object | undefined) => {
    const [method, rest = ""] = request.split(" ");
    return send(`${method} ${path}${rest}`, body && { body });
  };
  const view = async () => (await send(`GET ${path}`)).body;
  return {
    id,
    path,
    view,
    status: async () => (await view()).status,
    list: async (what) => (await send(`GET ${path}/${what}`)).body.data,
    async request(request, body) {
      const response = await act(request, body);
      expect(response.body.errors, request).toBeUndefined();
      settle();
      return response.body;
    },
    async rejected(request, body) {
      const response = await act(request, body);
      expect(response.status, `${request} ${JSON.stringify(response.body)}`).toBe(400);
      return messages(response);
    },
  };
}
