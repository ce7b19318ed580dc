import { headers } from "next/headers";
import { geo } from "../geo.js";

export default async function Page() {
  const record = geo.read(await headers());
  return <p>Hello, {record?.city ?? "visitor"}!</p>;
}
