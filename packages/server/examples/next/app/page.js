import { headers } from "next/headers";
import { geo } from "../geo.js";

export default async function Page() {
  const requestHeaders = await headers();
  const record = geo().read(requestHeaders);
  return <p>Hello, {record?.city ?? "visitor"}!</p>;
}
