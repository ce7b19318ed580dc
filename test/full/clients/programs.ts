import { join } from "node:path";
import { testAuthority } from "../../harness/certificates.ts";
import { call, GUIDE, PYTHON, tab } from "../../harness/clients.ts";

const WSGI =
  "import sys; from wsgiref.simple_server import make_server; from app import app; make_server('127.0.0.1', int(sys.argv[1]), app).serve_forever()";
const SETTINGS = '("https://geo.example.com", os.environ["GEO_KEY"], trusted_proxies=["127.0.0.1", "10.0.0.0/8"])';
const PYTHON_START = `import os\nfrom geolookup import Geolookup\ngeo = Geolookup${SETTINGS}\n`;

/** The guide's server without Express, after what it shares with the one for Express. */
const WITHOUT_FRAMEWORK = `import http from "node:http";
${tab("Node.js")
  .replace(/^const app = .*/ms, "")
  .replace(/^import (?!.*"@geolookup\/server").*\n/gm, "")}
${/^http\.createServer.*?^\}.*?$/ms.exec(GUIDE)?.[0]}`;

/** An application that says hello to its visitors' cities. */
export interface Program {
  name: string;
  /** The tab with the command that installs the client. Default: that of its name. */
  language?: string;
  files: Readonly<Record<string, string>>;
  command: (port: number, folder: string) => readonly [string, ...string[]];
}

const wsgi = (port: number) => [PYTHON, "-c", WSGI, `${port}`] as const;
/** Without Rack's own log of visitors. */
const rackup = (port: number) => ["rackup", "--env", "none", "--host", "127.0.0.1", "--port", `${port}`] as const;
const php = (script: string) => (port: number) =>
  ["php", "-d", `curl.cainfo=${testAuthority().caFile}`, "-S", `127.0.0.1:${port}`, script] as const;

/** The guide's programs. */
export const LANGUAGES: readonly Program[] = [
  { name: "Python", files: { "app.py": tab("Python") }, command: wsgi },
  {
    name: "Go",
    files: { "main.go": tab("Go"), "go.mod": "module example.com/shop\n\ngo 1.19\n" },
    command: (_, folder) => [join(folder, "main")],
  },
  { name: "PHP", files: { "index.php": tab("PHP") }, command: php("index.php") },
  { name: "Ruby", files: { "config.ru": tab("Ruby") }, command: rackup },
];

/** The package, which has tests of its own, and the guide's calls, each in the smallest application of its framework. */
export const FRAMEWORKS: readonly Program[] = [
  {
    name: "Node.js",
    files: { "package.json": '{"type":"module"}', "app.js": tab("Node.js") },
    command: () => [process.execPath, "app.js"],
  },
  {
    name: "Node.js without a framework",
    language: "Node.js",
    files: { "package.json": '{"type":"module"}', "app.js": WITHOUT_FRAMEWORK },
    command: () => [process.execPath, "app.js"],
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
$geo = new Geolookup('https://geo.example.com', getenv('GEO_KEY'), ['127.0.0.1', '10.0.0.0/8']);
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
geo = Geolookup.new("https://geo.example.com", ENV.fetch("GEO_KEY"), trusted_proxies: ["127.0.0.1", "10.0.0.0/8"])
run ->(env) {
  request = ActionDispatch::Request.new(env)
  [200, { "content-type" => "text/plain" }, ["Hello, #{(${call("Rails")} || {})["city"] || "visitor"}!"]]
}
`,
    },
    command: rackup,
  },
];
