import { createHash } from "node:crypto";

/** A script of Redis, run by its hash. */
export interface Script {
  text: string;
  sha1: string;
}

/**
 * Every key of ours begins so. What a caller's key holds is text: when its hour ends (ms), then each gateway and the
 * requests it admitted. It expires when the hour ends: Redis's clock alone says when an hour begins and ends, so that
 * gateways whose clocks differ agree. Expiry is all there is to clean up.
 * One GET and one SET a request, where a hash with an expiry took four commands. The 2 keeps out of the way of gateways
 * from before, which knew hashes below `glh:` and are there while a cluster is upgraded.
 */
export const CALLER_PREFIX = "glh2:";

/** Holds a random word for as long as Redis keeps its memory; another or none: it lost what it knew. */
export const EPOCH_KEY = "glh2-epoch";

/** Where gateways tell one another what Redis just granted them, so that each could go on without Redis. */
export const NEWS_CHANNEL = "glh2-news";

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Admits requests of many callers, all or none of them, in one step.
 * KEYS: the epoch's, then one a caller. ARGV: epoch, gateway; then for each caller what this gateway admitted in the
 * hour so far (Redis may have missed some), when that hour ends (ms), the requests that ask now, and the hour's limit.
 * Returns now (ms), then for each caller: this gateway's count, how many of the asking were granted, the hour's
 * end (ms), and gateway and count of each other. Returns nil, and does nothing, if the epoch is not the one given.
 */
export const TAKE = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
${NOW}
local gateway = ARGV[2]
local answer, news = { now }, { gateway }
for i = 2, #KEYS do
  local key, at = KEYS[i], 4 * i - 6
  local own, ends = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local asked, limit = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  if ends <= now then own, ends = 0, now + 3600000 end
  local stored, others, expires, caller, text = 0, 0, -2, { 0, 0, 0 }, ''
  local known = redis.call('GET', key)
  if known then
    expires = tonumber(string.match(known, '^%d+'))
    for name, count in string.gmatch(known, ' (%S+) (%d+)') do
      if name == gateway then
        stored = tonumber(count)
      else
        others = others + tonumber(count)
        caller[#caller + 1] = name
        caller[#caller + 1] = tonumber(count)
        text = text .. ' ' .. name .. ' ' .. count
      end
    end
  end
  own = math.max(own, stored)
  local granted = math.max(0, math.min(asked, limit - others - own))
  own = own + granted
  if own > stored then
    if not known or ends < expires then expires = ends end
    redis.call('SET', key, expires .. ' ' .. gateway .. ' ' .. own .. text, 'PXAT', expires)
    news[#news + 1] = key
    news[#news + 1] = own
    news[#news + 1] = expires
  end
  caller[1], caller[2], caller[3] = own, granted, expires
  answer[i] = caller
end
if #news > 1 and redis.call('PUBSUB', 'NUMSUB', '${NEWS_CHANNEL}')[2] > 1 then
  redis.call('PUBLISH', '${NEWS_CHANNEL}', table.concat(news, ' '))
end
return answer
`);

/**
 * Raises what Redis knows of callers to at least what this gateway knows; doing so again changes nothing.
 * KEYS: the epoch's, then one a caller. ARGV: an epoch in case Redis has none; then for each caller when its
 * hour ends (ms), how many gateways admitted requests in it, and gateway and count of each.
 * Returns now (ms) and the epoch.
 */
export const RAISE = script(`
redis.call('SET', KEYS[1], ARGV[1], 'NX')
${NOW}
local at = 2
for i = 2, #KEYS do
  local key, ends, gateways = KEYS[i], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  at = at + 2
  if ends > now then
    local counts, known = {}, redis.call('GET', key)
    if known then
      ends = math.min(ends, tonumber(string.match(known, '^%d+')))
      for name, count in string.gmatch(known, ' (%S+) (%d+)') do counts[name] = tonumber(count) end
    end
    for j = at, at + 2 * gateways - 1, 2 do
      counts[ARGV[j]] = math.max(counts[ARGV[j]] or 0, tonumber(ARGV[j + 1]))
    end
    local text = ends
    for name, count in pairs(counts) do
      if count > 0 then text = text .. ' ' .. name .. ' ' .. count end
    end
    redis.call('SET', key, text, 'PXAT', ends)
  end
  at = at + 2 * gateways
end
return { now, redis.call('GET', KEYS[1]) }
`);

function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}
