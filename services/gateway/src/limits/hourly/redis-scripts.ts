import { createHash } from "node:crypto";

/** A Lua script, run by its hash. */
export interface Script {
  text: string;
  sha1: string;
}

/**
 * The prefix of a caller's key. Its value is text: the end of the hour (ms), then each gateway and its admitted requests. The
 * key expires when the hour ends. Only Redis's clock decides when hours start and end, so gateways' clocks may differ.
 * Most requests take one SET, others a GET and a SET; a hash with an expiry would take four commands. During an upgrade, older
 * gateways use hashes under `glh:`.
 */
export const CALLER_PREFIX = "glh2:";

/** In front of every key on a server in cluster mode, so that all are in one slot. */
export const ONE_SLOT = "{glh2}";

/** Has a random value. If it changes or is missing, Redis has lost its data. */
export const EPOCH_KEY = "glh2-epoch";

/** The channel on which gateways receive each other's counts, so that each can continue without Redis. */
export const UPDATE_CHANNEL = "glh2-news";

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Admits requests of many callers in one step.
 * KEYS: the epoch key, then one per caller. ARGV: epoch, gateway, keyless limit, the time (ms) until which requests may be admitted; then for
 * each caller one of
 * - `""`: one request with the keyless limit, of a caller whose hour this gateway doesn't know
 * - the expected value of the caller's key, and the value that admits its requests: if the keyless limit admits them, and no
 *   other gateway is known to have counts of the caller
 * - this gateway's count in the hour (Redis may have missed some), the hour's end (ms; 0: not known), the number of requests to
 *   admit and the hourly limit, all in one; then `""`
 * The first two take a single command if Redis has what is expected. Finally, the call's ID.
 * Returns the ID, the time (ms), 1 if it is too late to admit requests, otherwise 0, then only for callers whose outcome isn't as
 * expected: index (from 1), this gateway's count, how many requests were admitted, the hour's end (ms), and the name and count of each
 * other gateway. Expected: all are admitted unless it is too late, and the hour is the one that the gateway knows; if it ended or isn't
 * known, it starts now; no other gateway has counts.
 * Returns only the ID, without effect, if the epoch doesn't match.
 * After the time in ARGV[4] it is too late: the gateway has decided without Redis by then. It may also have merged its count into Redis
 * over another connection, so that admitting the requests here would count them twice.
 */
export const TAKE = script(`
local call, match = redis.call, string.match
local id = ARGV[#ARGV]
if call('GET', KEYS[1]) ~= ARGV[1] then return { id } end
${NOW}
local gateway, keylessLimit, isLate = ARGV[2], tonumber(ARGV[3]), now > tonumber(ARGV[4])
local newEnd = now + 3600000
local newEndText = string.format('%d', newEnd)
local firstRequest = newEndText .. ' ' .. gateway .. ' 1'
local update = call('PUBSUB', 'NUMSUB', '${UPDATE_CHANNEL}')[2] > 1 and { gateway }
local results = { id, now, isLate and 1 or 0 }
local function publish(key, own, ends)
  if not update then return end
  update[#update + 1] = key
  update[#update + 1] = own
  update[#update + 1] = ends
end

local function take(i, key, known, isOverwritten, sentOwn, sentEnds, requested, limit)
  local own, ends = sentOwn, sentEnds
  if ends <= now then own, ends = 0, newEnd end
  local expectedOwn, expectedEnds = own + requested, ends
  local stored, others, caller, text = 0, 0, { i - 1, 0, 0, 0 }, ''
  local expires = known and tonumber(match(known, '^%d+'))
  -- Text that isn't an hour is overwritten.
  if not expires then known, expires = nil, -2 end
  if known then
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
  local granted = math.max(0, math.min(requested, limit - others - own))
  own = own + granted
  if own > stored or isOverwritten then
    if not known or ends < expires then expires = ends end
    call('SET', key, expires .. ' ' .. gateway .. ' ' .. own .. text, 'PXAT', expires)
    publish(key, own, expires)
  end
  if others > 0 or own ~= expectedOwn or expires ~= expectedEnds then
    caller[2], caller[3], caller[4] = own, granted, expires
    results[#results + 1] = caller
  end
end

-- The gateway's count, the hour's end, the number of requests and the limit.
local function parse(sent, admitted)
  if sent == '' then return 0, 0, 1, keylessLimit end
  if admitted ~= '' then
    local ends, own = match(sent, '^(%d+) %S+ (%d+)$')
    return tonumber(own), tonumber(ends), match(admitted, '%d+$') - own, keylessLimit
  end
  local own, ends, requested, limit = match(sent, '^(%d+) (%d+) (%d+) (%d+)$')
  return tonumber(own), tonumber(ends), tonumber(requested), tonumber(limit)
end

local at = 5
for i = 2, #KEYS do
  local key, sent, admitted = KEYS[i], ARGV[at], ARGV[at + 1]
  at = at + (sent == '' and 1 or 2)
  if isLate then
    local own, ends = parse(sent, admitted)
    take(i, key, call('GET', key), false, own, ends, 0, 0)
  elseif sent == '' then
    local known = call('SET', key, firstRequest, 'NX', 'GET', 'PXAT', newEndText)
    if known then take(i, key, known, false, parse(sent)) else publish(key, 1, newEnd) end
  elseif admitted ~= '' then
    local ends = match(admitted, '^%d+')
    -- The expected value expires at the same time. Any other one is corrected by take().
    local known = call('SET', key, admitted, 'GET', 'KEEPTTL')
    if known ~= sent or tonumber(ends) <= now then
      take(i, key, known, true, parse(sent, admitted))
    elseif update then
      publish(key, tonumber(match(admitted, '%d+$')), ends)
    end
  else
    take(i, key, call('GET', key), false, parse(sent, admitted))
  end
end
if update and #update > 1 then call('PUBLISH', '${UPDATE_CHANNEL}', table.concat(update, ' ')) end
return results
`);

/**
 * Merges this gateway's counts into Redis, keeping the greater of each. Repeating it has no effect.
 * KEYS: the epoch key, then one per caller. ARGV: an epoch in case Redis has none; then for each caller the hour's end (ms),
 * the number of gateways, and the name and count of each; then the call's ID.
 * Returns the ID, the time (ms) and the epoch.
 */
export const MERGE = script(`
redis.call('SET', KEYS[1], ARGV[1], 'NX')
${NOW}
local at = 2
for i = 2, #KEYS do
  local key, ends, gateways = KEYS[i], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  at = at + 2
  if ends > now then
    local counts, known = {}, redis.call('GET', key)
    if known then
      ends = math.min(ends, tonumber(string.match(known, '^%d+')) or ends)
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
return { ARGV[#ARGV], now, redis.call('GET', KEYS[1]) }
`);

/** A script with its hash. */
function script(text: string): Script {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}
