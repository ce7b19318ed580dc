import { NextResponse } from "next/server";
import { geo } from "./geo.js";

/** Next.js 15 and older: the file is middleware.js, the function is middleware, and config has runtime: "nodejs". */
export async function proxy(request) {
  return NextResponse.next({ request: { headers: await geo().headersFor(request) } });
}

export const config = { matcher: "/" };
