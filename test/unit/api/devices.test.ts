import { expect, test } from "vitest";
import * as api from "../../../api";

test("canonical device slots include all slots", () => {
  const devices = api.Devices.parse({ sda: { disk_id: 7 } });
  expect(Object.keys(api.allDevices(devices))).toEqual([...api.deviceNames]);
  expect(api.allDevices(devices)).toMatchObject({ sda: { disk_id: 7, volume_id: null }, sdh: { disk_id: null } });
});
