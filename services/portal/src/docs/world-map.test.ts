import { expect } from "chai";
import { MAP_HEIGHT, MAP_WIDTH, project } from "./assets/projection.js";
import { worldMap } from "./world-map.ts";

describe("project", () => {
  const width = (latitude: number) => project(180, latitude).x - project(-180, latitude).x;
  const height = project(0, -90).y - project(0, 90).y;

  it("has the proportions of Equal Earth (Šavrič, Patterson, Jenny 2018)", () => {
    expect(width(0)).to.be.closeTo(MAP_WIDTH, 1e-6);
    expect(width(0) / height).to.be.closeTo(2.05458, 5e-6);
    expect(width(90) / width(0)).to.be.closeTo(0.59247, 5e-6);
  });

  it("preserves areas", () => {
    const cell = (latitude: number) => {
      const side = project(0, latitude - 0.01).y - project(0, latitude + 0.01).y;
      return (side * width(latitude)) / Math.cos((latitude * Math.PI) / 180);
    };
    for (const latitude of [15, 30, 45, 60, 75, -50]) expect(cell(latitude) / cell(0)).to.be.closeTo(1, 1e-4);
  });

  it("has north at the top and east on the right", () => {
    const [london, wellington] = [project(-0.0912, 51.5143), project(174.7787, -41.2924)];
    expect(london.y)
      .to.be.below(MAP_HEIGHT / 2)
      .and.below(wellington.y);
    expect(london.x).to.be.closeTo(MAP_WIDTH / 2, 1);
    expect(wellington.x).to.be.above(MAP_WIDTH * 0.9);
  });
});

describe("worldMap", () => {
  const { text } = worldMap([{ id: "london", latitude: "51.5143", longitude: "-0.0912" }]);

  it("puts the pin at the location", () => {
    const [, x, y] = /class="pin" data-place="london" transform="translate\((\S+) (\S+)\)"/.exec(text) ?? [];
    const london = project(-0.0912, 51.5143);
    expect([Number(x), Number(y)]).to.deep.equal([Number(london.x.toFixed(1)), Number(london.y.toFixed(1))]);
  });

  it("keeps land within the map, and draws no lines across it at the date line", () => {
    const path = /class="land" d="([^"]+)"/.exec(text)?.[1] ?? "";
    const rings = path.split("z").filter(Boolean);
    expect(rings.length).to.be.within(100, 200);
    const [xs, ys, widest] = [new Set<number>(), new Set<number>(), { dx: 0 }];
    for (const ring of rings) {
      let [x = 0, y = 0, ...steps] = [...ring.matchAll(/-?\d+/g)].map(Number);
      for (let index = 0; index < steps.length; index += 2) {
        const [dx = 0, dy = 0] = steps.slice(index, index + 2);
        widest.dx = Math.max(widest.dx, Math.abs(dx));
        [x, y] = [x + dx, y + dy];
        xs.add(x);
        ys.add(y);
      }
    }
    expect(widest.dx).to.be.below(MAP_WIDTH / 4);
    expect(Math.min(...xs)).to.be.at.least(0);
    expect(Math.max(...xs)).to.be.at.most(MAP_WIDTH);
    expect(Math.min(...ys)).to.be.at.least(0);
    expect(Math.max(...ys)).to.be.at.most(MAP_HEIGHT);
  });
});
