import { geo } from "../../../geo.js";

export async function GET(request) {
  return Response.json(await geo().locate(request));
}
