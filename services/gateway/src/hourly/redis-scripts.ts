import { createHash } from "node:crypto";

/** A script of Redis, run by its hash. */
export interface Script {
  text: string;
  sha1: string;
}

/**
 * Every key of ours begins so. A caller's key is a hash from gateway to the requests it admitted, which
 * expires when the hour ends: Redis's clock alone says when an hour begins and ends, so that gateways whose
 * clocks differ agree. Expiry is all there is to clean up.
 */
export const CALLER_PREFIX = "glh:";

/** Holds a random word for as long as Redis keeps its memory; another or none: it lost what it knew. */
export const EPOCH_KEY = "glh-epoch";

/** Where gateways tell one another what Redis just granted them, so that each could go on without Redis. */
export const NEWS_CHANNEL = "glh-news";

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Admits requests of many callers, all or none of them, in one step.
 * KEYS: the epoch's, then one a caller. ARGV: epoch, gateway, limit; then for each caller what this gateway
 * admitted in the hour so far (Redis may have missed some), when that hour ends (ms), and the requests that ask now.
 * Returns now (ms), then for each caller: this gateway's count, how many of the asking were granted, the hour's
 * end (ms), and gateway and count of each other. Returns nil, and does nothing, if the epoch is not the one given.
 */
export const TAKE = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
${NOW}
local gateway, limit = ARGV[2], tonumber(ARGV[3])
local answer, news = { now }, { gateway }
for i = 2, #KEYS do
  local key, at = KEYS[i], 3 * (i - 1)
  local own, ends, asked = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  if ends <= now then own = 0 end
  local stored, others, caller = 0, 0, { 0, 0, 0 }
  local counts = redis.call('HGETALL', key)
  for j = 1, #counts, 2 do
    if counts[j] == gateway then
      stored = tonumber(counts[j + 1])
    else
      others = others + tonumber(counts[j + 1])
      caller[#caller + 1] = counts[j]
      caller[#caller + 1] = tonumber(counts[j + 1])
    end
  end
  own = math.max(own, stored)
  local granted = math.max(0, math.min(asked, limit - others - own))
  own = own + granted
  local expires = redis.call('PEXPIRETIME', key)
  if own > stored then
    redis.call('HSET', key, gateway, own)
    if ends <= now then ends = now + 3600000 end
    if expires < 0 or ends < expires then
      redis.call('PEXPIREAT', key, ends)
      expires = ends
    end
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
    for j = at, at + 2 * gateways - 1, 2 do
      if tonumber(ARGV[j + 1]) > tonumber(redis.call('HGET', key, ARGV[j]) or 0) then
        redis.call('HSET', key, ARGV[j], ARGV[j + 1])
      end
    end
    local expires = redis.call('PEXPIRETIME', key)
    if expires == -1 or ends < expires then redis.call('PEXPIREAT', key, ends) end
  end
  at = at + 2 * gateways
end
return { now, redis.call('GET', KEYS[1]) }
`);

function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}
