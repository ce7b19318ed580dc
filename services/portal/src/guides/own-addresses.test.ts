import { expect } from "chai";
import { withOwnAddresses } from "./own-addresses.ts";

describe("withOwnAddresses", () => {
  const guide = {
    type: "html",
    body: Buffer.from(
      "<p>https://geo.example.com/v1/geo https://docs.geo.example.com/geolookup.js https://shop.example.com</p>",
    ),
  };
  const urls = { apiUrl: "https://geo.shop.test", docsUrl: "https://docs.shop.test/$&<b>" };
  const text = (path: string, own: Parameters<typeof withOwnAddresses>[2]) =>
    withOwnAddresses(path, guide, own).body.toString();

  it("puts the deployment's addresses into guides for developers, escaped", () =>
    expect(text("/guides/front-end", urls)).to.equal(
      "<p>https://geo.shop.test/v1/geo https://docs.shop.test/$&#38;&#60;b&#62;/geolookup.js https://shop.example.com</p>",
    ));

  it("replaces the addresses of make start, too", () => {
    const body = Buffer.from(
      "curl 'http://127.0.0.1:8080/v1/geo' http://docs.localhost:8080/errors http://127.0.0.1:8090/",
    );
    const local = { type: "html", body };
    expect(withOwnAddresses("/guides/api", local, urls).body.toString()).to.equal(
      "curl 'https://geo.shop.test/v1/geo' https://docs.shop.test/$&#38;&#60;b&#62;/errors http://127.0.0.1:8090/",
    );
    const unknown = withOwnAddresses("/guides/api", local, { apiUrl: null, docsUrl: null });
    expect(unknown.body.toString()).to.equal(body.toString());
  });

  it("updates the page when they change, and otherwise reuses it", () => {
    const first = withOwnAddresses("/guides/back-end", guide, urls);
    expect(withOwnAddresses("/guides/back-end", guide, { ...urls })).to.equal(first);
    expect(text("/guides/back-end", { ...urls, apiUrl: "https://b.test" })).to.include("https://b.test/v1/geo");
  });

  it("leaves unknown addresses and other guides as they are", () => {
    expect(text("/guides/front-end", { apiUrl: null, docsUrl: null })).to.equal(guide.body.toString());
    expect(withOwnAddresses("/guides/proxies", guide, urls)).to.equal(guide);
  });
});
