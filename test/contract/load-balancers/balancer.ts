import { expect } from "vitest";
import { type Cloud, messages, type TestResponse } from "../cloud";
import { type Machine, machine } from "../compute/instance";

/** The full name of a rule in the section "Load balancers" of the API documentation. */
export const rule = (number: number): string => `part 3 · Endpoints · Load balancers · rule ${number}`;

/** A running instance with a private address, which can be a backend of a load balancer. */
export interface Backend extends Machine {
  ip: string;
}

export async function backend(cloud: Cloud, body: object = {}): Promise<Backend> {
  const web = await machine(cloud, {
    region: "eu-central",
    type: "g6-nanode-1",
    image: "compute/alpine3.14",
    root_pass: "correct horse",
    private_ip: true,
    ...body,
  });
  return { ...web, ip: (await web.view()).ipv4[1] };
}

export interface Balancer {
  id: number;
  path: `/nodebalancers/${number}`;
  /** Sends a request below the load balancer's path, and expects success. */
  request(request: `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<TestResponse["body"]>;
  /** Sends a request below the load balancer's path, and returns the errors of the response as `field: reason`. */
  rejected(request: `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<string[]>;
}

export async function balancer({ send }: Cloud, body: object = {}): Promise<Balancer> {
  const created = await send("POST /nodebalancers", { body: { region: "eu-central", ...body } });
  expect(created.body.errors).toBeUndefined();
  const path = `/nodebalancers/${created.body.id as number}` as const;
  const act = (request: string, sent: object | undefined) => {
    const [method, rest = ""] = request.split(" ");
    return send(`${method} ${path}${rest}`, sent && { body: sent });
  };
  return {
    id: created.body.id,
    path,
    async request(request, sent) {
      const response = await act(request, sent);
      expect(response.body.errors, request).toBeUndefined();
      return response.body;
    },
    async rejected(request, sent) {
      const response = await act(request, sent);
      expect(response.status, `${request} ${JSON.stringify(response.body)}`).toBe(400);
      return messages(response);
    },
  };
}
