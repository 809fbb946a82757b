import * as pulumi from "@pulumi/pulumi";
import { Database, WebService } from "./components";

const config = new pulumi.Config();
const region = config.require("region");
const rootPass = config.requireSecret("rootPass");

const shop = new WebService("shop", { region, rootPass, type: "g6-standard-1" });
const blog = new WebService("blog", { region, rootPass });

const orders = new Database("orders", { region, rootPass, size: 40, clients: shop.servers, deletable: true });

export const addresses = { shop: shop.address, blog: blog.address };
export const database = orders.address;
