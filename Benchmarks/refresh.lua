-- Uses each line of REFRESH_TOKENS once.
local tokens, position = {}, 0
local refused = 0

function init()
  for line in io.lines(os.getenv("REFRESH_TOKENS")) do tokens[#tokens + 1] = line end
  wrk.method = "POST"
  wrk.path = "/v1/token?key=bench"
  wrk.headers["content-type"] = "application/x-www-form-urlencoded"
end

function request()
  position = position + 1
  -- Counts as refused, to show that the figure is not valid.
  if position > #tokens then return wrk.format("GET", "/there-are-too-few-tokens") end
  return wrk.format(nil, nil, nil, "grant_type=refresh_token&refresh_token=" .. tokens[position])
end

function response(status, headers, body)
  if status ~= 200 then
    refused = refused + 1
    if refused <= 3 then io.stderr:write(status .. " " .. body:sub(1, 300) .. "\n") end
  end
end
