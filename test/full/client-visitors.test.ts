import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalAddress, clientAddress, parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { expect } from "chai";
import fc from "fast-check";
import { CLIENTS, goEnvironment, PYTHON } from "../harness/clients.ts";
import { installPrograms } from "../harness/install-programs.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const TRUSTED = ["127.0.0.0/8", "::1", "10.0.0.0/8", "192.0.2.0/24", "2001:db8:1::/48"];

/** Programs that read a list of proxies and one of peers and headers, and print the visitors. */
const VISITORS: readonly (readonly [client: string, file: string, command: readonly string[], text: string])[] = [
  [
    "geolookup.py",
    "visitors.py",
    [PYTHON, "visitors.py"],
    `import json, sys
from geolookup import Geolookup
proxies, requests = json.load(sys.stdin)
geo = Geolookup("http://127.0.0.1", "key", proxies)
print(json.dumps([geo.visitor(*each) for each in requests]))
`,
  ],
  [
    "geolookup.go",
    "main.go",
    ["go", "run", "."],
    `package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"

	"example.com/shop/geolookup"
)

func main() {
	var proxies []string
	var requests [][]*string
	if err := json.NewDecoder(os.Stdin).Decode(&[]any{&proxies, &requests}); err != nil {
		panic(err)
	}
	geo, err := geolookup.New("http://127.0.0.1", "key", proxies...)
	if err != nil {
		panic(err)
	}
	visitors := []string{}
	for _, each := range requests {
		request := &http.Request{RemoteAddr: net.JoinHostPort(*each[0], "1"), Header: http.Header{}}
		if each[1] != nil {
			request.Header.Set("X-Forwarded-For", *each[1])
		}
		visitors = append(visitors, geo.Visitor(request).String())
	}
	json.NewEncoder(os.Stdout).Encode(visitors)
}
`,
  ],
  [
    "geolookup.php",
    "visitors.php",
    ["php", "visitors.php"],
    `<?php
require 'geolookup.php';
[$proxies, $requests] = json_decode(file_get_contents('php://stdin'));
$geo = new Geolookup('http://127.0.0.1', 'key', $proxies);
echo json_encode(array_map(fn ($each) => $geo->visitor(...$each), $requests));
`,
  ],
  [
    "geolookup.rb",
    "visitors.rb",
    ["ruby", "visitors.rb"],
    `require_relative "geolookup"
proxies, requests = JSON.parse($stdin.read)
geo = Geolookup.new("http://127.0.0.1", "key", trusted_proxies: proxies)
puts JSON.dump(requests.map { |each| geo.visitor(*each) })
`,
  ],
];

describe("who the visitor is to the clients for Python, Go, PHP and Ruby", function () {
  this.timeout(180_000);
  const address = fc.oneof(
    fc.ipV4(),
    // Ruby doesn't know every form with a dotted tail. No proxy writes them.
    fc.ipV6().filter((ip) => !ip.includes(".")),
    fc.ipV4().map((ip) => `::ffff:${ip}`),
    fc.constantFrom("127.0.0.1", "::1", "10.1.2.3", "2001:db8:1::5", "0:0:0:0:0:ffff:a00:1", "::1.2.3.4", "192.0.2.7"),
  );
  const hop = fc.oneof(
    { weight: 4, arbitrary: address },
    fc.tuple(address, fc.nat(70_000)).map(([ip, port]) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    fc.constantFrom(
      "",
      " ",
      "unknown",
      "[::1",
      "1.2.3",
      "01.2.3.4",
      "10.0.0.1/8",
      "::/0",
      "fe80::1%eth0",
      "[10.0.0.1]",
    ),
  );
  const header = fc.option(fc.array(hop, { maxLength: 5 }).map((hops) => hops.join(", ")));
  const requests = fc.sample(fc.tuple(address, header), 500);
  const trusts = parseTrustProxy(TRUSTED.join());
  const expected = requests.map(([peer, sent]) => clientAddress(peer, sent ?? undefined, trusts));

  before(function () {
    this.timeout(600_000);
    installPrograms("python3", "go", "php", "php-curl", "ruby");
  });

  for (const [client, file, [program = "", ...args], text] of VISITORS) {
    const visitorsOf = (proxies: readonly string[], sent: readonly unknown[]): (string | null)[] => {
      const folder = tempFolder();
      mkdirSync(join(folder, "geolookup"));
      copyFileSync(join(CLIENTS, client), join(folder, client.endsWith(".go") ? "geolookup" : "", client));
      writeFileSync(join(folder, "go.mod"), "module example.com/shop\n\ngo 1.19\n");
      writeFileSync(join(folder, file), text);
      const options = {
        cwd: folder,
        input: JSON.stringify([proxies, sent]),
        env: goEnvironment(),
        encoding: "utf8",
      } as const;
      const visitors: (string | null)[] = JSON.parse(execFileSync(program, args, options));
      return visitors.map((visitor) => canonicalAddress(visitor ?? ""));
    };

    it(`${client} follows the rules of the service's TRUST_PROXY`, () => {
      const visitors = visitorsOf(TRUSTED, requests);
      for (const [i, visitor] of visitors.entries()) expect(visitor, JSON.stringify(requests[i])).to.equal(expected[i]);
      expect(visitors).to.have.length(expected.length);
    });

    it(`${client} reads X-Forwarded-For of a peer without an address only if it's listed`, () => {
      const sent = [["", "51.7.0.9, 44.1.2.3, 10.0.0.1"]];
      expect(visitorsOf(TRUSTED, sent)).to.deep.equal([null]);
      if (/py|go$/.test(client)) expect(visitorsOf([...TRUSTED, "unix"], sent)).to.deep.equal(["44.1.2.3"]);
    });
  }
});
