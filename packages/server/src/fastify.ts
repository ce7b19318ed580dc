import type { FastifyPluginAsync } from "fastify";
import type { Geolookup } from "./geolookup.ts";
import type { Located } from "./record.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The visitor's location, set by the plugin of @geolookup/server. */
    geo: Located;
  }
}

const plugin: FastifyPluginAsync<{ geolookup: Geolookup }> = async (fastify, { geolookup }) => {
  fastify.decorateRequest("geo", null as unknown as Located);
  fastify.addHook("onRequest", async (request) => {
    request.geo = await geolookup.locate(request.raw);
  });
};

/** A Fastify plugin that sets `request.geo` on all routes, including those outside the plugin's scope. */
export const geoPlugin = Object.assign(plugin, {
  [Symbol.for("skip-override")]: true,
  [Symbol.for("fastify.display-name")]: "@geolookup/server",
});
