# pip install fastapi httpx uvicorn, then: uvicorn main:app
import asyncio

import httpx
from fastapi import FastAPI, Request

app = FastAPI()
geolookup = httpx.AsyncClient(headers={"Authorization": "Bearer YOUR_KEY"})


async def locate(request: Request) -> dict:
    """The location of a visitor; empty if the lookup fails."""
    if not request.client:  # A Unix socket: see uvicorn's --proxy-headers.
        return {}
    lookup = geolookup.get(
        "https://geo.example.com/v1/geo",
        headers={"X-Forwarded-For": request.client.host},
    )
    try:
        response = await asyncio.wait_for(lookup, timeout=0.5)
        body = response.json()
    except (httpx.HTTPError, asyncio.TimeoutError, ValueError):
        return {}
    if "error" in body:
        print(body["error"]["message"], body["error"]["docs"])
        return {}
    if "X-Forwarded-For" not in response.headers.get("Vary", ""):
        print("This key can't forward visitors. Issue one with --forward.")
        return {}
    return body


@app.get("/")
async def hello(request: Request):
    return {"hello": (await locate(request)).get("city") or "visitor"}
