-- Refreshes the sessions of REFRESH_TOKENS in turn: each response's token is used again later. PAUSE is
-- how long each connection waits between two requests, on average, in milliseconds; it loads the server in
-- part.
local tokens, position = {}, 0
local refused = 0
local pause = tonumber(os.getenv("PAUSE") or "0")

function init()
  for line in io.lines(os.getenv("REFRESH_TOKENS")) do tokens[#tokens + 1] = line end
  wrk.method = "POST"
  wrk.path = "/v1/token?key=bench"
  wrk.headers["content-type"] = "application/x-www-form-urlencoded"
end

-- Between nothing and twice the pause: otherwise the connections would stay in step.
if pause > 0 then
  function delay() return math.random(0, 2 * pause) end
end

function request()
  position = position + 1
  -- Counts as refused, to show that the figure is not valid.
  if position > #tokens then return wrk.format("GET", "/there-are-too-few-tokens") end
  local token = tokens[position]
  tokens[position] = false
  return wrk.format(nil, nil, nil, "grant_type=refresh_token&refresh_token=" .. token)
end

function response(status, headers, body)
  if status ~= 200 then
    refused = refused + 1
    if refused <= 3 then io.stderr:write(status .. " " .. body:sub(1, 300) .. "\n") end
    return
  end
  local token = body:match('"refresh_token":"([^"]+)"')
  if token then tokens[#tokens + 1] = token end
end
