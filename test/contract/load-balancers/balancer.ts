import { expect } from "vitest";
import type { Answered, Cloud } from "../cloud";
import { type Machine, machine, told } from "../compute/instance";

/** A backend: a running machine with a private address. */
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

/** A load balancer and short ways to speak to it. */
export interface Balancer {
  id: number;
  path: `/nodebalancers/${number}`;
  /** Asks for something under its path and expects success. */
  ask(request: `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<Answered["body"]>;
  /** Asks for something under its path, and gives what the refusal says: `field: reason`. */
  refused(request: `${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, body?: object): Promise<string[]>;
}

export async function balancer({ send }: Cloud, body: object = {}): Promise<Balancer> {
  const made = await send("POST /nodebalancers", { body: { region: "eu-central", ...body } });
  expect(made.body.errors).toBeUndefined();
  const path = `/nodebalancers/${made.body.id as number}` as const;
  const act = (request: string, sent: object | undefined) => {
    const [method, rest = ""] = request.split(" ");
    return send(`${method} ${path}${rest}`, sent && { body: sent });
  };
  return {
    id: made.body.id,
    path,
    async ask(request, sent) {
      const answered = await act(request, sent);
      expect(answered.body.errors, request).toBeUndefined();
      return answered.body;
    },
    async refused(request, sent) {
      const answered = await act(request, sent);
      expect(answered.status, `${request} ${JSON.stringify(answered.body)}`).toBe(400);
      return told(answered);
    },
  };
}
