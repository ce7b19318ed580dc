import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testAuthority } from "../../harness/certificates.ts";
import { PYTHON } from "../../harness/clients.ts";
import { sample } from "../../harness/samples.ts";

const GUIDE = readFileSync("docs/site/back-end.md", "utf8");

/** How to install each language's client, and a program that uses it. */
export const SAMPLES = {
  "Node.js": {
    install: `${sample("/back-end", "npm install")}\n${inText(/`(npm pkg set .*?)`/)}`,
    program: sample("/back-end", "express()"),
  },
  Python: { install: sample("/back-end", "clients/geolookup.py"), program: sample("/back-end", "def app(") },
  Go: { install: sample("/back-end", "clients/geolookup.go"), program: sample("/back-end", "package main") },
  PHP: { install: sample("/back-end", "clients/geolookup.php"), program: sample("/back-end", "<?php") },
  Ruby: { install: sample("/back-end", "clients/geolookup.rb"), program: sample("/back-end", "run ->(env)") },
};

const WSGI =
  "import sys; from wsgiref.simple_server import make_server; from app import app; make_server('127.0.0.1', int(sys.argv[1]), app).serve_forever()";
const SETTINGS = '("https://geo.example.com", os.environ["GEO_KEY"], trusted_proxies=["127.0.0.1", "10.0.0.0/8"]';
const PYTHON_START = `import os\nfrom geolookup import Geolookup\ngeo = Geolookup${SETTINGS}, ${timeout("Python")})\n`;

/** The guide's server without Express, after what it shares with the one for Express. */
const WITHOUT_FRAMEWORK = `import http from "node:http";
${SAMPLES["Node.js"].program
  .replace(/^const app = .*/ms, "")
  .replace(/^import (?!.*"@geolookup\/server").*\n/gm, "")
  .replace(/trustProxy: .*/, `$&\n  ${timeout("Node.js")},`)}
${sample("/back-end", "http.createServer")}`;

/** An application that says hello to its visitors' cities. */
export interface Program {
  name: string;
  language: keyof typeof SAMPLES;
  files: Readonly<Record<string, string>>;
  command: (port: number, folder: string) => readonly [string, ...string[]];
}

const wsgi = (port: number) => [PYTHON, "-c", WSGI, `${port}`] as const;
/** Without Rack's own log of visitors. */
const rackup = (port: number) => ["rackup", "--env", "none", "--host", "127.0.0.1", "--port", `${port}`] as const;
const php = (script: string) => (port: number) =>
  ["php", "-d", `curl.cainfo=${testAuthority().caFile}`, "-S", `127.0.0.1:${port}`, script] as const;

const GO_MODULE = "module example.com/shop\n\ngo 1.19\n";
const builtGo = (_: number, folder: string) => [join(folder, "main")] as const;

/** The guide's programs. */
export const LANGUAGES: readonly Program[] = [
  { name: "Python", language: "Python", files: { "app.py": SAMPLES.Python.program }, command: wsgi },
  { name: "Go", language: "Go", files: { "main.go": SAMPLES.Go.program, "go.mod": GO_MODULE }, command: builtGo },
  { name: "PHP", language: "PHP", files: { "index.php": SAMPLES.PHP.program }, command: php("index.php") },
  { name: "Ruby", language: "Ruby", files: { "config.ru": SAMPLES.Ruby.program }, command: rackup },
];

/**
 * The package, which has tests of its own, and the guide's calls, each in the smallest application of its framework. Those that the guide
 * doesn't show as a whole have another timeout.
 */
export const FRAMEWORKS: readonly Program[] = [
  {
    name: "Node.js",
    language: "Node.js",
    files: { "app.js": SAMPLES["Node.js"].program },
    command: () => [process.execPath, "app.js"],
  },
  {
    name: "Node.js without a framework",
    language: "Node.js",
    files: { "app.mjs": WITHOUT_FRAMEWORK },
    command: () => [process.execPath, "app.mjs"],
  },
  {
    name: "Go with another timeout",
    language: "Go",
    files: {
      "main.go": SAMPLES.Go.program
        .replace('"os"', '"os"\n\t"time"')
        .replace("log.Fatal(err)\n\t}", `$&\n\t${timeout("Go")}`),
      "go.mod": GO_MODULE,
    },
    command: builtGo,
  },
  {
    name: "Flask",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from flask import Flask, request
app = Flask(__name__)
@app.get("/")
def hello():
    record = ${call("Flask")} or {}
    return f"Hello, {record.get('city') or 'visitor'}!"
`,
    },
    command: wsgi,
  },
  {
    name: "Django",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
def hello(request):
    record = ${call("Django")} or {}
    return HttpResponse(f"Hello, {record.get('city') or 'visitor'}!")
urlpatterns = [path("", hello)]
app = get_wsgi_application()
`,
    },
    command: wsgi,
  },
  {
    name: "FastAPI",
    language: "Python",
    files: {
      "app.py": `${PYTHON_START}from fastapi import FastAPI, Request
app = FastAPI()
@app.get("/")
def hello(request: Request):
    record = ${call("FastAPI")} or {}
    return f"Hello, {record.get('city') or 'visitor'}!"
`,
    },
    command: (port) => [PYTHON, "-m", "uvicorn", "app:app", "--port", `${port}`],
  },
  {
    name: "Laravel",
    language: "PHP",
    files: {
      "web.php": `<?php
use Illuminate\\Http\\Request;
use Illuminate\\Support\\Facades\\Route;
require __DIR__ . '/geolookup.php';
$geo = new Geolookup('https://geo.example.com', getenv('GEO_KEY'), ['127.0.0.1', '10.0.0.0/8'], ${timeout("PHP")});
Route::get('/', fn (Request $request) => 'Hello, ' . (${call("Laravel")}['city'] ?? 'visitor') . '!');
`,
    },
    command: php("laravel.php"),
  },
  {
    name: "Rails",
    language: "Ruby",
    files: {
      "config.ru": `require "active_support"
require "action_dispatch"
require_relative "geolookup"
proxies = ["127.0.0.1", "10.0.0.0/8"]
geo = Geolookup.new("https://geo.example.com", ENV.fetch("GEO_KEY"), trusted_proxies: proxies, ${timeout("Ruby")})
run ->(env) {
  request = ActionDispatch::Request.new(env)
  [200, { "content-type" => "text/plain" }, ["Hello, #{(${call("Rails")} || {})["city"] || "visitor"}!"]]
}
`,
    },
    command: rackup,
  },
];

/** What the guide's text says in code. */
function inText(pattern: RegExp): string {
  const [, code] = pattern.exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`the guide has no ${pattern}`);
  return code;
}

/** The guide's setting for the time that a client waits. */
function timeout(language: string): string {
  return inText(new RegExp(`\`([^\`]+)\` in (?:PHP and )?${language}\\b`));
}

/** The code in the guide's row for a framework. */
function call(framework: string): string {
  return inText(new RegExp(`^\\| ${framework}\\b.*?\\| \`(.*)\` \\|$`, "m"));
}
