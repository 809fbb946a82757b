import { operations } from "../../api";
import { testOperations } from "./matrix/operations";

testOperations(Object.keys(operations) as (keyof typeof operations)[]);
